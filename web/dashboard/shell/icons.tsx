import type { ComponentChildren } from 'preact'

const PEOPLE =
  'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M2.5 20c.5-4 3-6 6.5-6s6 2 6.5 6M16 5a3.5 3.5 0 0 1 0 6.5M18.5 14.5c1.8.9 2.7 2.7 3 5.5'
const HISTORY = 'M12 7v5l3.5 2M4 12a8 8 0 1 0 2.5-5.8L4 8.5m0-5v5h5'
/** The shapes of the navigation, on a grid of 24, drawn in the colour of the text. */
const SHAPES = {
  overview: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4v-5.5H9V20H5a1 1 0 0 1-1-1z',
  invoices: 'M6 3.5h12v17l-3-2-3 2-3-2-3 2zM9.5 8.5h5M9.5 12.5h5',
  recoveries: 'M12 4.5 21 20H3zM12 10v4.5m0 2.7v.3',
  refunds: 'M9.5 5 5 9.5 9.5 14M5 9.5h9a5 5 0 0 1 0 10H9.5',
  settlements: 'M12 4v11m-4.5-4L12 15.5l4.5-4.5M4.5 19.5h15',
  x402: 'M13 3 5.5 13.5H12L11 21l7.5-10.5H12z',
  reports: 'M5 20V11m7 9V4m7 16v-6M3 20h18',
  developers: 'm8.5 7.5-5 4.5 5 4.5m7-9 5 4.5-5 4.5M13.5 5l-3 14',
  sandbox: 'M9.5 3.5h5M10.5 3.5v6L5 19a1 1 0 0 0 1 1.5h12a1 1 0 0 0 1-1.5l-5.5-9.5v-6M8 15h8',
  settings: 'M4 7h9m5 0h2M4 17h2m5 0h9M15.5 4.5v5M8.5 14.5v5',
  members: PEOPLE,
  audit: HISTORY,
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5 20 20',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  opSystem: 'M3 12h4l2.5-7 5 14 2.5-7h4',
  opRelayers: 'M4 12h13m-5-6 6 6-6 6',
  opWork: 'M4 5h16v10h-5l-1.5 3h-3L9 15H4z',
  opLimits: 'M4 17a8.5 8.5 0 1 1 16 0M12 14l4-5',
  opMerchants: PEOPLE,
  opLog: HISTORY,
} as const

export type Shape = keyof typeof SHAPES

/** Decoration: the word beside it says the same. */
export function Icon({ shape }: { readonly shape: Shape }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[shape]} />
    </svg>
  )
}

/** The first letters of a name, as its picture. */
export function Initials({ name }: { readonly name: string }): ComponentChildren {
  const letters = name.split(/\s+/).flatMap((word) => [...word].slice(0, 1))
  return (
    <span class="initials" aria-hidden="true">
      {letters.slice(0, 2).join('').toUpperCase()}
    </span>
  )
}
