import type { ApprovalJson } from '../../../core/merchant/approval.ts'
import { getData, merchantApi } from '../session/request.ts'

/** Approval requests, open and past. */
export const approvalsQuery = (merchantId: string) => ({
  queryKey: ['approvals', merchantId],
  queryFn: () => getData<readonly ApprovalJson[]>(merchantApi(merchantId, '/v1/approvals')),
})
