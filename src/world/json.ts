/** Levels of nesting a body may have (`encoding`). */
export const MAX_DEPTH = 100;

/** Whether a JSON text is nested deeper than that many levels; it need not be valid JSON. */
export function exceedsDepth(text: string, levels: number): boolean {
  // Most bodies are one flat object, which two searches tell.
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
