/** The draft of an invitation. */
export const NEW_MEMBER = { type: 'membership', itemKey: null };
