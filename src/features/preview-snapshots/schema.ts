import Type from 'typebox';

/** An editor's state is that of one document. */
const MAX_SNAPSHOT = 4 * 1024 * 1024;

/** A body of a snapshot. */
export const SnapshotBody = Type.Object(
  {
    snapshot: Type.String({
      maxLength: MAX_SNAPSHOT,
      description: "The editor's state as it says it; kept as it is.",
    }),
  },
  { title: 'PreviewSnapshotCreate' },
);

/** The answer: whoever has the token reads the snapshot. */
export const TokenReply = Type.Object(
  {
    token: Type.String({ description: 'Secret: it shows the snapshot for 24 hours.' }),
  },
  { title: 'PreviewSnapshotCreated' },
);
