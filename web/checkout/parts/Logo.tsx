/**
 * The marks of tokens and networks, drawn here on a grid of 24: a disc, and a shape on it. Nothing is loaded from
 * others.
 */
const MARKS: Readonly<Record<string, readonly [disc: string, shape: string]>> = {
  USDC: [
    '#2775ca',
    'M14.5 9.5c-.4-1-1.3-1.5-2.5-1.5-1.5 0-2.5.7-2.5 1.9 0 2.9 5.2 1.3 5.2 4.2 0 1.2-1.2 1.9-2.7 1.9-1.3 0-2.4-.5-2.7-1.6M12 6.5V8m0 8v1.5',
  ],
  USDT: [
    '#1a7f64',
    'M7.5 7.5h9M12 7.5v10M7 11.5c0 1 2.2 1.7 5 1.7s5-.7 5-1.7-2.2-1.7-5-1.7-5 .7-5 1.7',
  ],
  EURC: ['#1f4fd8', 'M15.5 8.5a4.5 4.5 0 1 0 0 7M7 11h5m-5 2h5'],
  ethereum: ['#5b6fd6', 'm12 5 4.5 7.3L12 15l-4.5-2.7zM7.8 14.2 12 19l4.2-4.8'],
  base: ['#0052ff', 'M16.5 12a4.5 4.5 0 1 1-9-.5h6'],
  polygon: ['#7b3fe4', 'M12 6.5 16.8 9.3v5.4L12 17.5l-4.8-2.8V9.3z'],
  avalanche: ['#d63a3a', 'm7 16.5 5-9 2.5 4.5-2.5 4.5zm7.5 0 1.3-2.3 1.4 2.3z'],
  arbitrum: ['#1b4add', 'm8 16.5 4-9 4 9m-6.5-3h5'],
}

/** Decoration: the name is beside it. A test network has the mark of its own. */
export function Logo({ of }: { readonly of: string }) {
  const mark = MARKS[of] ?? MARKS[of.split('-')[0] ?? ''] ?? MARKS.ethereum
  if (mark === undefined) return null
  return (
    <svg class="logo" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="12" fill={mark[0]} />
      <path d={mark[1]} />
    </svg>
  )
}
