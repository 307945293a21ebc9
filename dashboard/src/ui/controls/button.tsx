import type { ButtonHTMLAttributes, Ref } from 'react';

const VARIANTS = {
  primary: 'bg-accent text-accent-text border-transparent hover:opacity-90',
  plain: 'bg-raised text-text border-line-strong hover:bg-hover',
  /** Muted button with an icon, beside others. */
  ghost: 'bg-transparent text-text-muted border-transparent hover:bg-hover hover:text-text',
  danger: 'bg-raised text-critical border-critical hover:bg-bad-soft',
} as const;

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  variant?: keyof typeof VARIANTS;
  /** True while its action runs: it cannot be pressed again. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

export function buttonClass(variant: keyof typeof VARIANTS = 'plain'): string {
  return `inline-flex min-h-8 pointer-coarse:min-h-10 items-center justify-center gap-1.5 rounded-md border px-3 py-1 text-sm font-medium whitespace-nowrap disabled:cursor-not-allowed disabled:opacity-60 aria-disabled:cursor-not-allowed aria-disabled:opacity-60 ${VARIANTS[variant]}`;
}

export function Button({ variant = 'plain', busy = false, disabled, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      disabled={disabled === true || busy}
      aria-busy={busy || undefined}
      className={`${buttonClass(variant)} ${className}`}
      {...rest}
    />
  );
}
