/** Headers of other programs in English, German, French and Spanish, and the fields that they mean. */

/** Headers by field, in the form of `plainHeader`. */
const HEADERS: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'email',
    [
      ...['email', 'e mail', 'mail', 'email address', 'e mail address', 'primary email', 'work email'],
      // Google Contacts and Outlook number addresses.
      ...['email 1', 'e mail 1', 'e mail 1 value', 'email 1 value', 'e mail 1 address'],
      ...['emailadresse', 'email adresse', 'e mail adresse', 'mailadresse', 'mail adresse'],
      ...['courriel', 'adresse email', 'adresse e mail', 'adresse mail', 'adresse electronique'],
      ...['correo', 'correo electronico', 'direccion de correo', 'direccion de correo electronico'],
      ...['direccion de email'],
    ],
  ],
  [
    'first_name',
    [
      ...['first name', 'firstname', 'fname', 'given name', 'forename', 'vorname', 'rufname'],
      ...['prenom', 'nombre', 'nombre de pila', 'primer nombre'],
    ],
  ],
  [
    'last_name',
    [
      ...['last name', 'lastname', 'lname', 'family name', 'surname', 'nachname', 'familienname'],
      ...['zuname', 'nom', 'nom de famille', 'apellido', 'apellidos'],
    ],
  ],
  ['active', ['active', 'aktiv', 'actif', 'activo']],
]);

/** A whole name: the first name, unless another column has that. */
const WHOLE_NAMES: ReadonlySet<string> = new Set([
  ...['name', 'full name', 'fullname', 'display name', 'vollstandiger name', 'nom complet'],
  ...['nombre completo'],
]);

/** Columns with data of the other program, not of the subscriber. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['id', 'uuid', 'contact id', 'record id', 'leid', 'euid', 'version'],
  ...['created at', 'updated at', 'create date', 'last modified date', 'added time', 'modified time'],
  ...['latitude', 'longitude', 'gmtoff', 'dstoff', 'timezone', 'last changed', 'member rating'],
  ...['optin time', 'optin ip', 'confirm time', 'confirm ip'],
  ...['subscription preferences', 'subscription updates'],
]);

/** Returns a header in lower case, with blanks between its words and without accents. */
export function plainHeader(header: string): string {
  return withoutAccents(header)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Returns a text with plain letters instead of letters with accents. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll('ß', 'ss');
}

/** Returns the field of a header; null if it is unknown. */
export function fieldOfHeader(header: string): string | null {
  const plain = plainHeader(header);
  return [...HEADERS].find(([, headers]) => headers.includes(plain))?.[0] ?? null;
}

/** True for the header of a column with whole names. */
export function isWholeName(header: string): boolean {
  return WHOLE_NAMES.has(plainHeader(header));
}

/** True for the header of a column that is not about the subscriber. */
export function isIgnoredHeader(header: string): boolean {
  return IGNORED.has(plainHeader(header));
}
