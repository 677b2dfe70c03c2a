/** The parameters, headers and error responses of the OpenAPI document, each once. */

/** The sections of `components` with shared parts. */
type Section = 'parameters' | 'headers' | 'responses';

/** Collects parts that many operations share, and references them by name. */
export class SharedParts {
  readonly #sections: Readonly<Record<Section, Map<string, object>>> = {
    parameters: new Map(),
    headers: new Map(),
    responses: new Map(),
  };

  /** References a part and adds it if it is new. @throws when another part of the section has the name. */
  refer(section: Section, name: string, part: object): { $ref: string } {
    const known = this.#sections[section].get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`Two ${section} have the name ${name}.`);
    this.#sections[section].set(name, part);
    return { $ref: `#/components/${section}/${name}` };
  }

  toJSON(): Record<Section, Record<string, object>> {
    const { parameters, headers, responses } = this.#sections;
    return { parameters: sorted(parameters), headers: sorted(headers), responses: sorted(responses) };
  }
}

function sorted(parts: ReadonlyMap<string, object>): Record<string, object> {
  return Object.fromEntries([...parts].sort(([one], [other]) => (one < other ? -1 : 1)));
}
