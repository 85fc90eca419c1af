/** The shapes of the page, on a grid of 24, drawn in the colour of the text. */
const SHAPES = {
  waiting: 'M12 7v5l3 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  seen: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5',
  partial: 'M12 3a9 9 0 1 0 9 9M12 3a9 9 0 0 1 9 9h-9z',
  paid: 'm5 12.5 4.5 4.5L19 7.5',
  completed: 'm7.5 12.5 3 3 6-6.5M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  expired: 'M12 7.5v5.5m0 3.2v.3M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18',
  copy: 'M9 9h10v11H9zM15 9V4H5v11h4',
  out: 'M14 5h5v5M19 5l-8 8M17 14v5H5V7h5',
  wallet:
    'M4 7.5h14a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zm0 0V6a2 2 0 0 1 2-2h10v3.5M16 13.7v.3',
  down: 'm7 10 5 5 5-5',
  phone:
    'M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3m3 15h2',
} as const

export type Shape = keyof typeof SHAPES

/** Decoration: the words beside it say the same. */
export function Icon({ shape }: { readonly shape: Shape }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={SHAPES[shape]} />
    </svg>
  )
}
