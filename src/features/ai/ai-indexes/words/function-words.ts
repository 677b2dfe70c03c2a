/** Languages with stemming: those of the pages for recipients, except languages without an alphabet. */
type Language = 'ar' | 'de' | 'en' | 'es' | 'fr' | 'it' | 'nl' | 'pl' | 'pt';

/** Frequent words that only reveal a text's language. They are not searched for. */
export const FUNCTION_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  ar: words(
    'في من على إلى عن مع هذا هذه أن إن لا ما هل كيف متى أين لم لن قد كان هو هي أو ثم كل غير بعد قبل خلال يمكن يمكنني',
  ),
  de: words(
    'der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war wird werden wurde ich du er sie es wir ihr mein dein sein kann können muss wie was wann wo warum welche mit von zu zum zur in im an am auf für aus bei nach vor über um als auch so sich dass wenn man lange viele',
  ),
  en: words(
    'the a an and or but not is are was were be been being do does did i you he she it we they my your his her its our their me them this that these those can could may must shall should will would have has had how what when where why which who with from to of in on at by for as if so than then there into about up out any each long often many much',
  ),
  es: words(
    'el la los las un una unos unas y o pero no es son fue ser está están yo tú él ella nosotros mi tu su sus puedo puede cómo qué cuándo dónde por para con de del a al en se que si lo le como más muy cuánto',
  ),
  fr: words(
    'le la les un une des du de et ou mais ne pas est sont était être je tu il elle nous vous ils mon ton son ma ta sa mes tes ses puis peut comment que qui quoi quand où quel quelle quels quelles avec pour par sur sous dans en au aux ce cette ces se y si plus',
  ),
  it: words(
    'il lo la i gli le un uno una e o ma non è sono era essere io tu lui lei noi voi mio tuo suo posso può come che cosa quando dove quale con per da di del della dei delle a al alla in nel nella su si se più entro dal',
  ),
  nl: words(
    'de het een en of maar niet is zijn was worden wordt werd ik jij je hij zij ze wij we mijn jouw hun kan kunnen moet hoe wat wanneer waar waarom welke met van te tot in op aan bij voor uit naar om als ook dat die dit deze er',
  ),
  pl: words(
    'i oraz lub ale nie jest są był być ja ty on ona my wy mój twój można może jak co kiedy gdzie dlaczego który która które z ze od do w we na po przez dla o a to ten ta te się że czy ile za',
  ),
  pt: words(
    'o a os as um uma uns umas e ou mas não é são foi ser está eu tu ele ela nós meu teu seu sua posso pode como que quando onde qual por para com de do da dos das ao à em no na nos nas se mais quanto',
  ),
};

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
