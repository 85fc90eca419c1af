import type {
  CheckoutView,
  NetworkChoice,
  PayableAddress,
  PayerAuthorization,
  PayerTransfer,
} from '../../../core/checkout/view.ts'

/**
 * Where the payer sends: on the only network there is, on the one chosen here, or on the one that the
 * payment began on. Null as long as that is open.
 */
function selectedAddress(view: CheckoutView, network: string | null): PayableAddress | null {
  const addresses = view.payment?.addresses ?? []
  if (addresses.length === 1) return addresses[0] ?? null
  const begun = view.payment?.transfers.findLast(({ kind }) => kind === 'counted')?.networkId
  const wanted = network ?? begun
  return addresses.find(({ networkId }) => networkId === wanted) ?? null
}

/** Whether money is still to be sent, and an address is there to send it to. */
export function isPayable(view: CheckoutView): boolean {
  const { state, payment } = view
  if (payment === null || isZero(payment.due) || signedPayment(view) !== null) return false
  return state === 'waiting' || state === 'seen' || state === 'partial'
}

/** What was signed and is on its way, and no transfer shows yet: until then nothing else is to be sent. */
export function signedPayment(view: CheckoutView): PayerAuthorization | null {
  return newestSignature(
    view,
    ({ status, transaction }, transfers) =>
      /^(received|sent|settled)$/.test(status) &&
      transfers.every(({ hash }) => hash !== transaction),
  )
}

/** The newest signature, where nothing came of it and nothing was paid since. */
export function unsentPayment(view: CheckoutView): PayerAuthorization | null {
  return newestSignature(
    view,
    ({ status, at }, transfers) =>
      /^(failed|expired)$/.test(status) && transfers.every((transfer) => transfer.at <= at),
  )
}

function newestSignature(
  { authorization, payment }: CheckoutView,
  isIt: (signed: PayerAuthorization, transfers: readonly PayerTransfer[]) => boolean,
): PayerAuthorization | null {
  if (authorization === null || payment === null || isZero(payment.due)) return null
  return isIt(authorization, payment.transfers) ? authorization : null
}

/** Whether the payer has to choose token and network. */
export function isChoice(view: CheckoutView, network: string | null, isChoosing: boolean): boolean {
  if (view.state === 'choosing') return true
  return isPayable(view) && (isChoosing || selectedAddress(view, network) === null)
}

/** The address to pay to; null while the payer has a choice, or nothing to pay. */
export function requestedAddress(
  view: CheckoutView,
  network: string | null,
  isChoosing: boolean,
): PayableAddress | null {
  const isRequested = isPayable(view) && !isChoice(view, network, isChoosing)
  return isRequested ? selectedAddress(view, network) : null
}

/** Whether there is something else that the payer could choose. */
export function hasAlternatives(view: CheckoutView): boolean {
  const networks = view.payment?.addresses.length ?? 0
  return networks > 1 || (isUntouched(view) && view.tokens.length > 1)
}

/** Nothing was seen, so another token can still be chosen. */
export function isUntouched({ state, payment }: CheckoutView): boolean {
  return state === 'choosing' || (state === 'waiting' && payment?.transfers.length === 0)
}

export function isZero(decimal: string): boolean {
  return /^0*\.?0*$/.test(decimal)
}

/** How long a payment usually takes on this network to be confirmed, in seconds. */
export function usualSeconds(view: CheckoutView, networkId: string | undefined): number {
  const known = view.tokens.flatMap(({ networks }) => networks)
  return known.find((network) => network.networkId === networkId)?.usualSeconds ?? 60
}

/** The cheapest network that works normally, the fastest of several. */
export function recommended(networks: readonly NetworkChoice[]): NetworkChoice | undefined {
  const rank = ({ health, usualFeeUsd, usualSeconds }: NetworkChoice) =>
    [health === 'ok' ? 0 : 1, Number(usualFeeUsd), usualSeconds] as const
  return networks.toSorted((a, b) => {
    const [one, other] = [rank(a), rank(b)]
    return one[0] - other[0] || one[1] - other[1] || one[2] - other[2]
  })[0]
}

/**
 * What arrived in another token or on another network while nothing that counts did, and isn't on its way back; null
 * when the payment's own state says what to do.
 */
export function misdirected({ state, payment }: CheckoutView): PayerTransfer | null {
  if (payment === null || !(state === 'waiting' || state === 'expired')) return null
  if (!isZero(payment.received) || !isZero(payment.late)) return null
  return (
    payment.transfers.findLast(
      ({ kind, status, returning, returned }) =>
        kind === 'other' && status !== 'reverted' && isZero(returning) && isZero(returned),
    ) ?? null
  )
}
