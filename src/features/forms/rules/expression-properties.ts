import { Serializer } from 'survey-core';
import { read } from './definition.ts';
import type { DefinitionNode } from './definition-walk.ts';

/** A place of a definition that holds an expression; `text` is what the caller wrote, which may be of any type. */
export interface ExpressionPlace {
  readonly property: string;
  readonly text: unknown;
}

/** The expressions of one object of a definition, those in `min` and `max` without their leading `=`. */
export function expressionsOf(node: DefinitionNode): ExpressionPlace[] {
  const places: ExpressionPlace[] = [];
  for (const property of expressionProperties(node.classes)) {
    const text = read(node.object, property);
    if (text !== undefined && text !== null && text !== '') places.push({ property, text });
  }
  for (const property of ['min', 'max']) {
    const value = read(node.object, property);
    if (typeof value === 'string' && value.startsWith('=') && node.role !== 'choice')
      places.push({ property, text: value.slice(1) });
  }
  return places;
}

const propertiesByClass = new Map<string, readonly string[]>();

/** The properties of some classes that hold expressions, by survey-core's own metadata. */
function expressionProperties(classes: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const name of classes) {
    let properties = propertiesByClass.get(name);
    if (properties === undefined) {
      if (name in Object.prototype || !Serializer.findClass(name)) continue;
      properties = Serializer.getProperties(name)
        .filter((property) => property.type === 'expression' || property.type === 'condition')
        .map((property) => property.name);
      propertiesByClass.set(name, properties);
    }
    for (const property of properties) names.add(property);
  }
  return names;
}
