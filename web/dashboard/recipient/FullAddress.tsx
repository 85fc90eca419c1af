import { Hash } from '../parts/Hash.tsx'
import { usePage } from '../parts/page.ts'

/** An address in full, for comparison, and short with a link to an explorer. */
export function FullAddress({ address }: { readonly address: string }) {
  const { networks } = usePage()
  const network = networks.find(({ explorer }) => explorer !== null)?.id
  return (
    <p>
      <code class="long">{address}</code>{' '}
      <Hash value={address} kind="address" {...(network === undefined ? {} : { network })} />
    </p>
  )
}
