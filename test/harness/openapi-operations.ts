/** Returns the operations of an OpenAPI document; a path also has the parameters that all of its operations share. */
export function operationsIn<Operation>(
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>,
): Operation[] {
  return Object.values(paths).flatMap((item) =>
    Object.entries(item).flatMap(([name, operation]) => (name === 'parameters' ? [] : [operation])),
  );
}
