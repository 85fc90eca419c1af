import { useRef, useState } from 'preact/hooks'
import { contrastWithWhite, darkened, LEAST_CONTRAST } from '../../../core/checkout/accent.ts'
import { usePage } from '../parts/page.ts'

const COLOUR = /^#[0-9a-f]{6}$/i
/** What the picker begins with: the accent of pages without a colour of their own. */
const USUAL = '#1f5eff'

/** A colour, typed or picked, and whether it can be seen: by the rule that the API has. */
export function Accent({ initial }: { readonly initial: string }) {
  const { words } = usePage()
  const [colour, setColour] = useState(initial)
  const input = useRef<HTMLInputElement>(null)
  const isColour = COLOUR.test(colour)

  /** Has the form hear of it as of what is typed. */
  function take(next: string): void {
    setColour(next)
    if (input.current === null) return
    input.current.value = next
    input.current.dispatchEvent(new Event('input', { bubbles: true }))
  }
  return (
    <div class="field">
      <label for="accent">{words.say('settingsAccent')}</label>
      <div class="swatch">
        <input
          type="color"
          aria-label={words.say('settingsPalette')}
          value={isColour ? colour.toLowerCase() : USUAL}
          onInput={(event) => take(event.currentTarget.value)}
        />
        <input
          ref={input}
          id="accent"
          name="accent"
          class="wide"
          autocomplete="off"
          aria-describedby="accent-hint"
          value={colour}
          onInput={(event) => setColour(event.currentTarget.value)}
        />
      </div>
      <small id="accent-hint" class="hint" aria-live="polite">
        {isColour ? <Contrast colour={colour} take={take} /> : words.say('settingsAccentHint')}
      </small>
    </div>
  )
}

interface ContrastProps {
  readonly colour: string
  readonly take: (colour: string) => void
}

function Contrast({ colour, take }: ContrastProps) {
  const { words } = usePage()
  const contrast = contrastWithWhite(colour)
  const ratio = words.amount(contrast.toFixed(1), 'JPY')
  if (contrast >= LEAST_CONTRAST) return <>{words.say('contrastEnough', { ratio })}</>
  const darker = darkened(colour)
  return (
    <>
      {words.say('contrastLow', { ratio, least: LEAST_CONTRAST })}{' '}
      <button type="button" class="quiet" onClick={() => take(darker)}>
        {words.say('contrastTake', { colour: darker })}
      </button>
    </>
  )
}
