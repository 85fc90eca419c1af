import type { PersonId } from '../../../core/base/ids.ts'
import type { MerchantFeed } from '../../../store/dashboard/feed.ts'
import type { AppDependencies } from '../../sections.ts'

/** What the dashboard's own routes work with. */
export interface OwnDependencies extends AppDependencies {
  readonly dashboard: {
    readonly feed: MerchantFeed
    /** The user of these cookies, or null. */
    whoIs(headers: Headers): Promise<{ readonly id: PersonId } | null>
  }
}
