import { useMemo } from 'preact/hooks'
import { encode } from 'uqr'

/** A QR code as one path on white, with the quiet zone of four modules that readers need. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { size, dark } = useMemo(() => draw(text), [text])
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path d={dark} />
    </svg>
  )
}

function draw(text: string) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 })
  let dark = ''
  data.forEach((row, y) => {
    for (let x = 0; x < size; x += 1) {
      if (!row[x]) continue
      const from = x
      while (row[x + 1]) x += 1
      dark += `M${from} ${y}h${x - from + 1}v1h-${x - from + 1}z`
    }
  })
  return { size, dark }
}
