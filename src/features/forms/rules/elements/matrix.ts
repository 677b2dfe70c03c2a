import { itemValue, Part } from '../definition.ts';
import { scalarKey } from './choices.ts';
import type { ElementType } from './element-type.ts';
import { record } from './shapes.ts';

/** One of the columns per row, several when cells are checkboxes; a matrix without rows is a single choice. */
export const matrix: ElementType = {
  compileShape(element, { shapeOf }) {
    const type = element.text('cellType') === 'checkbox' ? 'checkbox' : 'dropdown';
    const cell = shapeOf(new Part({ type, choices: element.list('columns') }));
    const rows = element.list('rows').map((row) => scalarKey(itemValue(row)));
    return rows.length === 0 ? cell : record(new Map(rows.map((row) => [row, cell])));
  },
  hasTotals: true,
  plainLists: ['columns'],
};
