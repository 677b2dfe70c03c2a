import Type from 'typebox';

/** Maximum length of a snapshot, in characters. */
const MAX_SNAPSHOT = 4 * 1024 * 1024;

/** Body of a request that creates a snapshot. */
export const SnapshotBody = Type.Object(
  {
    snapshot: Type.String({
      maxLength: MAX_SNAPSHOT,
      description: 'Editor state, stored verbatim.',
    }),
  },
  { title: 'PreviewSnapshotCreate' },
);

/** Reply with the token, which grants read access to the snapshot. */
export const TokenReply = Type.Object(
  {
    token: Type.String({ description: 'Secret; gives access for 24 hours.' }),
  },
  { title: 'PreviewSnapshotCreated' },
);
