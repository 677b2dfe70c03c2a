import { useState } from 'react';
import { type Form, type FormOptions, useForm } from './use-form.ts';

interface EditFormOptions<Body extends object, Reply>
  extends Omit<FormOptions<Body, Reply>, 'value' | 'onChange'> {
  /** The record as the server has stored it. */
  readonly saved: Partial<Body>;
}

/** A form without a draft: it holds the value itself, and begins with what is saved. */
export function useEditForm<Body extends object, Reply>({
  saved,
  ...options
}: EditFormOptions<Body, Reply>): Form<Body> {
  const [value, onChange] = useState(saved);
  return useForm({ ...options, value, onChange });
}
