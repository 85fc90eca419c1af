import { useQuery } from '@tanstack/preact-query'
import { render } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { type CheckoutPage, ShownSession } from '../../checkout/Checkout.tsx'
import type { Session } from '../../checkout/session/useSession.ts'
import { directionOf, isLocale, LOCALES, offeredLocales } from '../../messages/locale.ts'
import { accentRules } from '../../styles/accent.ts'
import { usePage } from '../parts/page.ts'
import { CATALOGUES } from './catalogues.ts'
import { type CheckoutAppearance, type SampleState, type Sold, sampleView, TEA } from './sample.ts'

/** The frame that the server serves for this; see web/dashboard/preview.tsx. */
const FRAME = '/dashboard/checkout-preview'

interface PreviewProps {
  /** As in the form, saved or not. */
  readonly settings: CheckoutAppearance
  /** What payers read where the settings have no name. */
  readonly merchantName: string
  /** What is for sale; some tea by default. */
  readonly sold?: Sold
}

/** The checkout itself, with the settings in the form: its own components and styles, in a frame of its own. */
export function Preview({ settings, merchantName, sold = TEA }: PreviewProps) {
  const { words } = usePage()
  const locales = offeredLocales(settings.languages)
  const [wanted, setWanted] = useState<string>(words.locale)
  const [state, setState] = useState<SampleState>('choosing')
  const locale = locales.find((one) => one === wanted) ?? locales[0] ?? 'en'
  const catalogue = useQuery({
    queryKey: ['catalogue', locale],
    queryFn: CATALOGUES[locale],
    staleTime: Number.POSITIVE_INFINITY,
  })
  const frame = useRef<HTMLIFrameElement>(null)
  const [root, setRoot] = useState<HTMLElement | null>(null)
  const begun = useMemo(() => new Date(), [])

  useEffect(() => {
    if (root === null || catalogue.data === undefined) return
    const view = sampleView(settings, merchantName, state, begun, sold)
    const carried = { lang: null, parent: null }
    const props = { view, locale, locales, messages: catalogue.data, carried }
    draw(root, {
      ...props,
      network: null,
      isChoosing: false,
      problem: null,
      receipt: null,
      code: null,
    })
  })
  useEffect(() => (root === null ? undefined : () => render(null, root)), [root])

  return (
    <section class="preview" aria-labelledby="preview">
      <div class="head">
        <h2 id="preview">{words.say('preview')}</h2>
        <select
          aria-label={words.say('previewState')}
          value={state}
          onChange={({ currentTarget: { value } }) =>
            setState(value === 'completed' ? 'completed' : 'choosing')
          }
        >
          <option value="choosing">{words.say('previewWaiting')}</option>
          <option value="completed">{words.say('previewCompleted')}</option>
        </select>
        <select
          aria-label={words.say('previewLanguage')}
          value={locale}
          onChange={({ currentTarget: { value } }) => isLocale(value) && setWanted(value)}
        >
          {locales.map((one) => (
            <option key={one} value={one} lang={one}>
              {LOCALES[one]}
            </option>
          ))}
        </select>
      </div>
      <iframe
        ref={frame}
        src={FRAME}
        title={words.say('previewTitle')}
        onLoad={() => setRoot(frame.current?.contentDocument?.getElementById('checkout') ?? null)}
      />
    </section>
  )
}

/** Draws the page into the frame, in its language and the merchant's colour, as the server writes it. */
function draw(root: HTMLElement, props: Omit<CheckoutPage, 'isAlive'>): void {
  const { ownerDocument: page } = root
  const { view, locale } = props
  page.documentElement.lang = locale
  page.documentElement.dir = directionOf(locale)
  const rules = view.merchant.accent && accentRules(view.merchant.accent)
  const sheet = page.defaultView && new page.defaultView.CSSStyleSheet()
  sheet?.replaceSync(rules ?? '')
  page.adoptedStyleSheets = sheet ? [sheet] : []
  render(<ShownSession {...props} session={sessionOf(view)} isAlive />, root)
}

/** A session of which nothing changes and nothing is sent. */
function sessionOf(view: CheckoutPage['view']): Session {
  const timeNow = () => Date.parse(view.now)
  return { view, isConnected: true, timeNow, act: async () => 'ok', sign: async () => 'failed' }
}
