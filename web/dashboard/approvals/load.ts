import type { ApprovalJson } from '../../../core/merchant/approval.ts'
import { getData, merchantApi } from '../session/request.ts'

/** What needs a second person, or did. */
export const approvalsQuery = (merchantId: string) => ({
  queryKey: ['approvals', merchantId],
  queryFn: () => getData<readonly ApprovalJson[]>(merchantApi(merchantId, '/v1/approvals')),
})
