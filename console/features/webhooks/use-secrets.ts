import { useState } from 'react';
import { NO_SECRETS, type SecretBody, secretsOf, withSecrets } from './secrets.ts';

/** The secrets that the user has entered in a form. They live as long as the form. */
interface FormSecrets {
  /** Returns a draft with the secrets. */
  readonly addTo: <Value extends SecretBody>(draft: Value) => Value;
  /** Keeps the secrets of a changed value. Returns the value without them, for the draft. */
  readonly takeFrom: <Value extends SecretBody>(value: Value) => Value;
}

/** Keeps the secrets of a webhook's form beside its draft. */
export function useSecrets(): FormSecrets {
  const [secrets, setSecrets] = useState(NO_SECRETS);
  return {
    addTo: (draft) => withSecrets(draft, secrets),
    takeFrom: (value) => {
      setSecrets(secretsOf(value));
      return withSecrets(value, NO_SECRETS);
    },
  };
}
