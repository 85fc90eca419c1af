import { useState } from 'preact/hooks'
import type { CheckoutPayment, PayableAddress } from '../../core/checkout/view.ts'
import { CopyRow } from './parts/CopyRow.tsx'
import { usePage } from './parts/context.ts'
import type { DrawnCode } from './parts/drawCode.ts'
import { Grouped } from './parts/Grouped.tsx'
import { Icon } from './parts/icons.tsx'
import { Logo } from './parts/Logo.tsx'
import { QrCode } from './parts/QrCode.tsx'
import { hasAlternatives } from './session/selection.ts'
import { paymentUri } from './session/transferRequest.ts'
import type { Session } from './session/useSession.ts'
import { WalletPanel } from './WalletPanel.tsx'

interface PayPanelProps {
  readonly session: Session
  readonly payment: CheckoutPayment
  readonly to: PayableAddress
  /** The code of the address that the page began with. */
  readonly drawn: DrawnCode | null
  readonly changeUrl: string
  readonly choose: (event: Event) => void
}

/** What to send, and where: on one network. */
export function PayPanel({ session, payment, to, drawn, changeUrl, choose }: PayPanelProps) {
  const { words } = usePage()
  const [isRequest, setRequest] = useState(false)
  // A phone can't scan its own screen.
  const [isScanned, setScanned] = useState(false)
  const { tokenSymbol: token, due } = payment
  const uri = paymentUri(to, payment)
  return (
    <section class="pay" aria-labelledby="send">
      <div class="lane">
        <h3 id="send">
          <Logo of={token} />
          {words.say('tokenOnNetwork', { token, network: to.name })}
        </h3>
        {hasAlternatives(session.view) && (
          <a href={changeUrl} onClick={choose}>
            {words.say('change')}
          </a>
        )}
      </div>
      <WalletPanel session={session} payment={payment} to={to} />
      <p class="notice">
        <Icon shape="expired" />
        {words.say('onlyThis', { token, network: to.name })}
      </p>
      <button
        type="button"
        class="wide touch scripted"
        aria-expanded={isScanned}
        onClick={() => setScanned(!isScanned)}
      >
        {words.say('qrShow')}
      </button>
      <figure class={isScanned ? '' : 'scan'}>
        <QrCode
          text={isRequest ? uri : to.address}
          label={words.say(isRequest ? 'qrRequestLabel' : 'qrPlainLabel')}
          drawn={drawn}
        />
        <fieldset class="segments scripted">
          <legend class="hidden">{words.say('qrTitle')}</legend>
          {[false, true].map((mode) => (
            <label key={mode}>
              <input
                type="radio"
                name="qr"
                checked={isRequest === mode}
                onChange={() => setRequest(mode)}
              />
              <span>{words.say(mode ? 'qrRequest' : 'qrPlain')}</span>
            </label>
          ))}
        </fieldset>
        {isRequest && <figcaption class="caution">{words.say('qrRequestHint')}</figcaption>}
      </figure>
      <dl>
        <CopyRow
          label={words.say('amountToSend')}
          value={due}
          does={words.say('copyAmount')}
          done={words.say('amountCopied')}
        >
          <bdi class="figure">
            {words.amount(due)} <span>{token}</span>
          </bdi>
        </CopyRow>
        <CopyRow
          label={words.say('addressToSend')}
          value={to.address}
          does={words.say('copyAddress')}
          done={words.say('addressCopied')}
        >
          <Grouped text={to.address} />
        </CopyRow>
      </dl>
    </section>
  )
}
