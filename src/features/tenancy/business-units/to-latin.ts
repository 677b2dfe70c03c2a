/** Transliterations (a-z) of letters that cannot be decomposed into a base letter and a mark. */
const SPELLINGS: Readonly<Record<string, string>> = {
  ...parseSpellings(
    'ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i ħ h ŋ n ĸ k ŧ t ƒ f ǝ e ə e ɖ d ɓ b ɗ d ƙ k ɣ g ʼ _',
  ),
  // Cyrillic, as on road signs and in passports.
  ...parseSpellings(
    'а a б b в v г g ґ g д d е e є ye ж zh з z и i і i к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts',
  ),
  ...parseSpellings('ч ch ш sh щ shch ъ _ ы y ь _ э e ю yu я ya ђ dj ј j љ lj њ nj ћ c џ dz ѕ dz'),
  // Greek (ELOT 743, without its rules for letter pairs).
  ...parseSpellings(
    'α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o',
  ),
};

/** Converts a text to lower-case Latin letters without marks, as far as possible: `Größe` becomes `grosse`. */
export function toLatin(text: string): string {
  return text
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .replaceAll(/\P{ASCII}/gu, (letter) =>
      Object.hasOwn(SPELLINGS, letter) ? (SPELLINGS[letter] ?? letter) : letter,
    );
}

/** Parses pairs of a letter and its transliteration; `_` is an empty one. */
function parseSpellings(pairs: string): Record<string, string> {
  const words = pairs.split(' ');
  const entries = words.flatMap((letter, index) =>
    index % 2 === 0 ? [[letter, (words[index + 1] ?? '').replace('_', '')] as const] : [],
  );
  return Object.fromEntries(entries);
}
