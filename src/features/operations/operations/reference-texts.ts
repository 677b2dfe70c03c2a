import type { ReferenceTexts } from '../../feature.ts';

/** Texts of the reference for this area: descriptions of groups, and example bodies. */
export const reference: ReferenceTexts = {
  tags: { Operations: 'Front page, health, metrics and this document.' },
};
