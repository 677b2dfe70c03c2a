/** Texts that a layout has to survive. */

/** A sentence of more than one line. */
export const LONG_TEXT =
  'Quarterly newsletter for customers in Germany, Austria and Switzerland who opened at least one of the last five emails';

/** A word that is wider than a phone. */
export const LONG_WORD = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft';
