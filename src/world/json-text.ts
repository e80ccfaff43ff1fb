/* Reads JSON that others wrote: files, bodies, responses. Deep nesting would overflow the stack of whatever walks it. */

/** Levels of nesting in what the sandbox reads. A snapshot needs the most: it contains bodies of the merchant API. */
export const MAX_READ_DEPTH = 150;

/** Whether a JSON text is nested deeper than that many levels; it need not be valid JSON. */
export function exceedsDepth(text: string, levels: number): boolean {
  // Two searches recognize a flat object, as most bodies are.
  if (text.indexOf('{', 1) === -1 && text.indexOf('[') === -1) return levels < 1;
  let [level, inText] = [0, false];
  for (let place = 0; place < text.length; place++) {
    const character = text.charCodeAt(place);
    if (inText) {
      if (character === 0x5c) place++;
      else if (character === 0x22) inText = false;
    } else if (character === 0x22) inText = true;
    else if (character === 0x7b || character === 0x5b) {
      if (++level > levels) return true;
    } else if (character === 0x7d || character === 0x5d) level--;
  }
  return false;
}

/** Parses JSON; undefined if the text is not JSON, or nested too deeply. */
export function parseJson(text: string, maxDepth = MAX_READ_DEPTH): unknown {
  if (exceedsDepth(text, maxDepth)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
