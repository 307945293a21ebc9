import { CSPProvider } from '@base-ui/react/csp-provider';
import { Select as Base } from '@base-ui/react/select';
import { Icon } from '../display/icons.tsx';
import { ITEM, POPUP, usePlaceOf } from './popup.ts';
import { type Option, SELECT_TRIGGER, SelectedLabel, type SelectProps } from './select-trigger.tsx';

interface SelectPopupProps<Value extends string> {
  options: readonly Option<Value>[];
  chosen: Value | undefined;
  disabled: boolean | undefined;
  triggerId: string;
  isOpenAtFirst: boolean;
  aria: Pick<SelectProps<Value>, 'aria-invalid' | 'aria-describedby'>;
  onChoose: (value: Value) => void;
}

/** A select with its list, which `Select` shows once it is loaded. */
export function SelectPopup<Value extends string>(props: SelectPopupProps<Value>) {
  const { options, chosen, disabled = false, triggerId, isOpenAtFirst, aria, onChoose } = props;
  const [place, findPlace] = usePlaceOf();
  return (
    // The pages' Content-Security-Policy forbids style elements.
    <CSPProvider disableStyleElements>
      <Base.Root
        items={options}
        value={chosen ?? null}
        onValueChange={(value) => value !== null && onChoose(value)}
        defaultOpen={isOpenAtFirst}
        disabled={disabled}
        modal={false}
      >
        <Base.Trigger ref={findPlace} id={triggerId} className={SELECT_TRIGGER} {...aria}>
          <SelectedLabel label={options.find(({ value }) => value === chosen)?.label} />
        </Base.Trigger>
        <Base.Portal container={place}>
          <Base.Positioner
            alignItemWithTrigger={false}
            positionMethod="fixed"
            align="start"
            sideOffset={4}
            collisionPadding={8}
            className="z-50"
          >
            <Base.Popup className={POPUP}>
              <Base.List className="outline-none">
                {options.map(({ value, label }) => (
                  <Base.Item key={value} value={value} label={label} className={ITEM}>
                    <Base.ItemText className="min-w-0 flex-1 wrap-anywhere">{label}</Base.ItemText>
                    {value === chosen && <Icon name="check" />}
                  </Base.Item>
                ))}
              </Base.List>
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
    </CSPProvider>
  );
}
