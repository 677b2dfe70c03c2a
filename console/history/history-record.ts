import type { ListedVersion } from '../../sdk/src/generated/schemas.ts';
import type { schemas } from '../../sdk/src/index.ts';
import type { DraftFields } from '../drafts/draft-fields.ts';
import type { RecordKey } from './restore-request.ts';

/** The parts of a record that can be restored. */
export interface RecordState {
  readonly isDeleted: boolean;
  /** Reason why versions cannot be restored; null if they can. */
  readonly refusal: schemas.RecordSummary['refusal'];
  /** Names of the members that can be restored; null for any. */
  readonly restorableFields: readonly string[] | null;
}

/** A record whose history is shown. */
export interface HistoryRecord {
  readonly key: RecordKey;
  readonly name: string;
  /** Returns the parts of these versions that people see, with their labels. */
  readonly fieldsOf: (versions: readonly ListedVersion[]) => DraftFields;
  /** Returns the path of the screen with this part of the history. */
  readonly hrefOf: (history: true | number) => string;
  /** Reads the record again. */
  readonly reload: () => Promise<void>;
  /** Absent: the record exists, and all its fields can be restored. */
  readonly state?: RecordState;
}
