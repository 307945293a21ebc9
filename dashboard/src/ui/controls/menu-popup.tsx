import { Menu as Base } from '@base-ui/react/menu';
import { Icon } from '../display/icons.tsx';
import type { MenuItem, MenuProps } from './menu-props.ts';
import { ITEM, POPUP, usePlaceOf } from './popup.ts';

interface MenuPopupProps
  extends Pick<MenuProps, 'label' | 'name' | 'groups' | 'disabled' | 'isBare' | 'onClose'> {
  triggerId: string;
  triggerClass: string;
  isOpenAtFirst: boolean;
}

/** A button with its menu, which `Menu` shows once it is loaded. */
export function MenuPopup(props: MenuPopupProps) {
  const {
    label,
    name,
    groups,
    disabled = false,
    isBare,
    onClose,
    triggerId,
    triggerClass,
    isOpenAtFirst,
  } = props;
  const [place, findPlace] = usePlaceOf();
  return (
    <Base.Root
      defaultOpen={isOpenAtFirst}
      disabled={disabled}
      modal={false}
      onOpenChangeComplete={(isOpen) => !isOpen && onClose?.()}
    >
      <Base.Trigger ref={findPlace} id={triggerId} aria-label={name} className={triggerClass}>
        {label}
        {!isBare && <Icon name="chevron" className="-mr-1" />}
      </Base.Trigger>
      <Base.Portal container={place}>
        <Base.Positioner
          positionMethod="fixed"
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-50"
        >
          <Base.Popup className={POPUP}>
            {groups.map(({ heading, items }, index) => (
              <div
                key={heading ?? index}
                role="group"
                aria-label={heading}
                className={index > 0 ? 'mt-1 border-t border-line pt-1' : ''}
              >
                {heading && (
                  <p aria-hidden="true" className="px-2 py-1 text-xs wrap-anywhere text-text-muted">
                    {heading}
                  </p>
                )}
                {items.map((item) => (
                  <Item key={item.label} item={item} />
                ))}
              </div>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({
  item: { label, hint, icon, onSelect, link, checked, disabled = false },
}: {
  item: MenuItem;
}) {
  return (
    <Base.Item
      label={label}
      disabled={disabled}
      {...(onSelect && { onClick: onSelect })}
      {...(link && { render: link, nativeButton: false })}
      {...(checked !== undefined && { role: 'menuitemcheckbox', 'aria-checked': checked })}
      className={ITEM}
    >
      {icon}
      <span className="min-w-0 flex-1 wrap-anywhere">{label}</span>
      {hint && <span className="text-xs whitespace-nowrap text-text-muted">{hint}</span>}
      {checked && <Icon name="check" />}
    </Base.Item>
  );
}
