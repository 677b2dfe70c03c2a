/** The question a field path points at, or the one that holds it: a name itself may contain dots and brackets. */
function findHolder<Question>(
  find: (name: string) => Question | null | undefined,
  field: string,
): Question | null {
  for (let path = field; path !== ''; path = path.replace(/(?:^|[.[])[^.[]*$/, '')) {
    const question = find(path);
    if (question) return question;
  }
  return null;
}

/**
 * The question that an issue is about. Paths may name the request's own fields: `email_address`, or `form_data` before a
 * question's name.
 *
 * @param find gives the question of a name
 * @param addressQuestion the question that the address came from
 */
export function findFaulty<Question>(
  find: (name: string) => Question | null | undefined,
  field: string,
  addressQuestion: string,
): Question | null {
  const name = field === 'email_address' ? addressQuestion : field;
  return findHolder(find, name) ?? findHolder(find, name.replace(/^form_data\./, ''));
}
