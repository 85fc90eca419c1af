// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "./Clones.sol";
import {OwnerPowers} from "./OwnerPowers.sol";
import {PermitSettlement} from "./PermitSettlement.sol";
import {Recovery} from "./Recovery.sol";
import {Refunds} from "./Refunds.sol";
import {Settlement} from "./Settlement.sol";

/// @title RemitHub
/// @notice Factory of deposit addresses and forwarders, registry of merchants, and the only
///         contract that moves what the clones hold. It holds no money itself.
/// @dev    Deployed through the deterministic deployment proxy with the same bytes and arguments
///         on every chain; no argument depends on a chain or a token, hence one address everywhere.
///         Signers, operators and limits are set per chain, so that no key that was replaced on one
///         chain comes back on the next. The owner's address must be controllable on every chain.
///         HubAccess        who may do what, and what is stopped
///         Proposals        what the owner must announce
///         OwnerPowers      appointments, lists, limits and delays
///         MerchantRegistry where each merchant's money goes
///         Clones           addresses and payments out of them
///         Deposits         sweeps of invoices
///         Forwarders       distributions of x402 payments
///         Settlement       batches of EIP-3009 authorizations
///         PermitSettlement batches of Permit2 payments
///         Refunds          signed refunds and rescues
///         RefundLimits     how much they may pay
///         Recovery         the exit of what was sent to a wrong address
contract RemitHub is Settlement, PermitSettlement, Refunds, Recovery {
    /// @param owner_       Appoints everybody, without a delay until it sets one.
    /// @param environment_ "sandbox" or "live".
    constructor(address owner_, bytes32 environment_) OwnerPowers(owner_) Clones(environment_) {}
}
