/** A status, as a word and the colour of its dot. */
export function Pill({ tone, text }: { readonly tone: Tone; readonly text: string }) {
  return <span class={`pill ${tone}`}>{text}</span>
}

export type Tone = 'calm' | 'warn' | 'good' | 'bad'
