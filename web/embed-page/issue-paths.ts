/** Returns the question of a field path, or the closest one that contains it. Names may contain dots and brackets. */
function findContaining<Question>(
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
 * Returns the question that an issue is about. Paths may contain the request's fields: `email_address`, or `form_data`
 * before a question's name.
 *
 * @param find finds a question by name
 * @param addressQuestion the question with the email address
 */
export function findFaulty<Question>(
  find: (name: string) => Question | null | undefined,
  field: string,
  addressQuestion: string,
): Question | null {
  const name = field === 'email_address' ? addressQuestion : field;
  return findContaining(find, name) ?? findContaining(find, name.replace(/^form_data\./, ''));
}
