/** Estimates tokens when the provider reports none: the client disconnected, or the answer was cut off. */
import type { ModelQuestion } from '../../../model-provider/ask-model.ts';

/** Average in most languages. */
const CHARACTERS_PER_TOKEN = 4;
const TOKENS_PER_IMAGE = 1600;

/** Estimates the tokens of a question. */
export function tokensOfQuestion({ system = '', tools = [], messages }: ModelQuestion): number {
  const blocks = messages.flatMap(({ content }) => content);
  const isImage = (block: object) => 'type' in block && block.type === 'image';
  const texts = JSON.stringify([system, tools, blocks.filter((block) => !isImage(block))]);
  return tokensOfText(texts.length) + blocks.filter(isImage).length * TOKENS_PER_IMAGE;
}

/** Estimates the tokens of a text of this length. */
export function tokensOfText(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
