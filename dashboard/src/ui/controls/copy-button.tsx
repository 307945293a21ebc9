import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../display/icons.tsx';
import { texts } from '../texts.ts';
import { Button } from './button.tsx';

const CONFIRMED_MS = 2_000;

interface CopyButtonProps {
  /** Text to copy; a function if it is built on demand. */
  text: string | (() => string);
  label?: string;
  variant?: 'plain' | 'ghost';
  /** Icon in place of the label, which still names the button. */
  icon?: IconName | undefined;
}

/** A button that copies a text and confirms it. */
export function CopyButton({ text, label = texts.copy.button, variant = 'plain', icon }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (!outcome) return undefined;
    const timer = setTimeout(() => setOutcome(null), CONFIRMED_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text());
      setOutcome('copied');
    } catch {
      // Fails without https, or if the browser's settings forbid it.
      setOutcome('refused');
    }
  };
  return (
    <Button
      variant={variant}
      className={icon && 'px-2!'}
      aria-label={icon && label}
      title={icon && label}
      onClick={() => void copy()}
    >
      {icon ? <Icon name={outcome === 'copied' ? 'check' : icon} /> : label}
      <span role="status" className={outcome && !icon ? '' : 'sr-only'}>
        {outcome === 'copied' && texts.copy.done}
        {outcome === 'refused' && texts.copy.refused}
      </span>
    </Button>
  );
}
