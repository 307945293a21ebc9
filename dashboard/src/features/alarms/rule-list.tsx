import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { MAX_RULES } from '../../../../server/src/risk/settings/limits.ts';
import type { FormErrors } from '../../lib/form-errors.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Icon } from '../../ui/display/icons.tsx';
import { RuleFields } from './rule-fields.tsx';
import { type RuleValues, withNewRule } from './settings-values.ts';
import { texts } from './texts.ts';

const words = texts.rules;

interface RuleListProps {
  projectId: string;
  rules: RuleValues[];
  errors: FormErrors | null;
  onChange: (rules: RuleValues[]) => void;
}

/** The project's own rules, which apply whatever the detector expects. */
export function RuleList({ projectId, rules, errors, onChange }: RuleListProps) {
  const [addedKey, setAddedKey] = useState<number | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const isFull = rules.length >= MAX_RULES;
  const add = () => {
    if (isFull) return;
    const more = withNewRule(rules);
    setAddedKey(more.at(-1)?.key ?? null);
    onChange(more);
  };
  useAddedByAddress(add);
  const remove = (key: number) => {
    onChange(rules.filter((rule) => rule.key !== key));
    // The removed button had the focus.
    addButton.current?.focus();
  };
  return (
    <section aria-label={words.title}>
      <h3 className="mb-1 text-sm font-semibold">{words.title}</h3>
      <p className="mb-2 max-w-prose text-xs text-text-muted">{words.hint}</p>
      {rules.map((rule, index) => (
        <RuleFields
          key={rule.key}
          {...{ projectId, rule, index, errors }}
          hasFocus={rule.key === addedKey}
          onChange={(changed) => onChange(rules.map((one) => (one.key === rule.key ? changed : one)))}
          onRemove={() => remove(rule.key)}
        />
      ))}
      <div className="max-w-4xl border-t border-line pt-3">
        {/* Not `disabled`: it must be able to take the focus from a removed rule. */}
        <Button ref={addButton} aria-disabled={isFull} onClick={add}>
          <Icon name="plus" />
          {words.add}
        </Button>
        {isFull && <span className="ml-3 text-sm text-text-muted">{words.full(MAX_RULES)}</span>}
      </div>
    </section>
  );
}

/** Adds a rule when the address asks for one, and removes that from the address. */
function useAddedByAddress(add: () => void) {
  const { create } = useSearch({ from: '/inside/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const answer = useEffectEvent(() => {
    add();
    const search = (previous: object) => ({ ...previous, create: undefined });
    void navigate({ search, replace: true, resetScroll: false });
  });
  useEffect(() => {
    if (create) answer();
  }, [create]);
}
