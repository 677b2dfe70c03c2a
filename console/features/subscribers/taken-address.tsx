import { type ReactNode, useState } from 'react';
import type { TesseraError } from '../../../sdk/src/index.ts';
import type { Issue } from '../../forms/check-fields.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The subscriber that has the address of a refused form. */
export interface TakenAddress {
  /** Opens the subscriber; undefined if no address was refused. */
  readonly action: ReactNode;
  /** Explains a refusal because of the address. */
  readonly explain: (error: TesseraError) => Promise<Issue | null>;
}

/** Finds the subscriber whose address somebody has tried to give to another one. */
export function useTakenAddress(): TakenAddress {
  const pathOf = useTenantPath();
  const [id, setId] = useState<string | undefined>(undefined);
  return {
    action:
      id === undefined ? undefined : (
        <LinkButton size="small" href={pathOf(`subscribers/${id}`)}>
          {translate('taken.open')}
        </LinkButton>
      ),
    explain: async ({ code, issues }) => {
      if (code !== 'DUPLICATE_EMAIL') return null;
      setId(issues[0]?.id);
      return { field: 'email', message: translate('taken') };
    },
  };
}
