import { Badge, type Tone } from '../ui/badge.tsx';
import type { Operation } from './operation-name.ts';
import { operationTexts } from './texts.ts';

const TONES = {
  queued: 'neutral',
  running: 'info',
  completed: 'success',
  failed: 'danger',
  cancelled: 'neutral',
} as const satisfies Record<Operation['status'], Tone>;

/** Shows the status of an operation. */
export function OperationStatus({ status }: Pick<Operation, 'status'>) {
  return <Badge tone={TONES[status]}>{operationTexts.translate(`status.${status}`)}</Badge>;
}
