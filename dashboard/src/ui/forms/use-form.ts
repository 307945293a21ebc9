import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FormErrors } from '../../lib/form-errors.ts';

interface FormOptions<Values, Answer> extends Omit<UseMutationOptions<Answer, Error, Values>, 'onError'> {
  /** Returns the errors found before a request is sent; null if there are none. */
  check: (values: Values) => FormErrors | null;
  toErrors: (error: Error) => FormErrors;
}

/** Checks and sends the values of a form; the errors of both steps appear beside the fields. */
export function useForm<Values, Answer>({ check, toErrors, ...options }: FormOptions<Values, Answer>) {
  const [errors, setErrors] = useState<FormErrors | null>(null);
  const { mutate, isPending, data } = useMutation({
    ...options,
    onError: (error) => setErrors(toErrors(error)),
  });
  const submit = (values: Values) => {
    const invalid = check(values);
    setErrors(invalid);
    if (!invalid) mutate(values);
  };
  return { errors, submit, isPending, data };
}
