import { filterTexts } from '../filters/texts.ts';
import { tableTexts } from './texts.ts';

/** Loads the texts of tables and their filters, for the `loader` of a screen. */
export async function loadTableTexts(): Promise<void> {
  await Promise.all([tableTexts.load(), filterTexts.load()]);
}
