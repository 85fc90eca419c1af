import { newMember } from '../../test/support/api/people.ts'
import { type DashboardSite, openDashboardSite } from '../../test/support/web/dashboard/site.ts'
import type { World } from '../history/world.ts'

/** A signed-in owner of the merchant with the history. */
export interface Visitor {
  readonly site: DashboardSite
  readonly merchantId: string
  readonly cookies: ReadonlyMap<string, string>
  /** An operation for the merchant; resolves when the answer is read. */
  get(path: string): Promise<{ readonly status: number }>
  invoices(): Promise<{ readonly all: number; readonly own: number }>
  close(): Promise<void>
}

export async function openVisitor(world: World): Promise<Visitor> {
  const site = await openDashboardSite({
    databaseUrl: world.url,
    variables: {
      HUB_ADDRESS: world.chain.hub,
      RPC_URL_BASE_SEPOLIA: world.chain.node.url,
      RPC_URL_SEPOLIA: '',
    },
  })
  const { id } = world.merchant.merchant
  const { browser } = await newMember(site.rig, 'owner', id, { origin: site.url })
  return {
    site,
    merchantId: id,
    cookies: browser.cookies,
    get: (path) => browser.api('GET', id, path),
    async invoices() {
      const [row] = await world.database<{ all: number; own: number }[]>`
        select coalesce(sum(invoices), 0)::integer as all,
          coalesce(sum(invoices) filter (where merchant_id = ${id}), 0)::integer as own
        from invoice_tally`
      return row ?? { all: 0, own: 0 }
    },
    close: () => site.close(),
  }
}
