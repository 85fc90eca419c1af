// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title IHubErrors
/// @notice Every reason for which a hub refuses a call or an item of a batch.
/// @dev    An error names what was given and what was expected, so that a caller knows what to change.
interface IHubErrors {
    // Who may call

    error NotOwner(address caller, address owner);
    error NotPendingOwner(address caller, address pendingOwner);
    error NotGuardian(address caller);
    error NotOperator(address caller);
    error NotHub(address caller, address hub);
    error NotTreasury(address caller, address treasury);

    // The owner's delay

    /// @notice The owner must propose this very call first, and wait.
    error NotProposed(bytes32 id);
    /// @notice A proposal, or the announcement of the merchant with this id, is not ripe yet.
    error NotReady(bytes32 id, uint64 readyAt);
    error ProposalExpired(bytes32 id, uint64 expiredAt);
    error DelayTooLong(uint32 given, uint32 longest);

    /// @notice The guardian or the owner has stopped operations of this kind.
    error IsStopped(uint8 what);

    // Arguments

    error ZeroAddress();
    /// @notice Money may not be sent to the hub, whose business is not to hold any.
    error HubAsReceiver(address hub);
    error LengthMismatch(uint256 items, uint256 signatures);
    error ItemGasTooLow(uint256 available, uint256 needed);
    error AmountIsZero();
    error DecimalsTooMany(uint8 given, uint8 most);
    error NotAToken(address token);
    error TokenNotListed(address token);
    /// @notice The signature is not by this signer; the zero address never signs anything.
    error BadSignature(address expected);

    // Registry

    error StaleVersion(uint32 given, uint32 newest);
    error VersionTooFarAhead(uint32 version, uint32 newest);
    /// @notice The versions above this one are the owner's.
    error VersionNotSignable(uint32 version, uint32 highest);
    /// @notice The fee would be charged again and again on the same money.
    error TreasuryIsForwarder(address treasury);
    error FeeRateAboveCap(uint16 feeBps, uint16 cap);
    error MerchantNotConfigured(bytes16 merchantId);
    error RegistryVersionMismatch(uint32 expected, uint32 current);
    /// @notice Another treasury is announced for this merchant: what is paid to it waits.
    error MerchantChangePends(bytes16 merchantId, uint64 readyAt);
    error NoChangePends(bytes16 merchantId);

    // Deposits and forwarders

    error FeeAboveCap(uint256 fee, uint256 cap);
    error FeeAboveAmount(uint256 fee, uint256 amount);
    error FeeNotAvailable(uint256 fee, uint256 left);
    error DepositHoldsLess(uint256 held, uint256 amount);
    error DepositLeavesLess(uint256 left, uint256 leave);
    /// @notice There is no clone at this address yet, though the item states one.
    error NotDeployed(address clone);
    /// @notice There is a clone already, though the item is to deploy it (or its gas was too low).
    error DeploymentFailed();
    error NothingToDistribute(uint256 held);
    error DistributionNotAnnounced(bytes16 merchantId);

    // Payments

    /// @notice An account with code could burn the gas of the others: it is settled as a wallet.
    error PayerHasCode(address from);
    error AmountNotPermitted(uint256 amount, uint256 permitted);
    /// @notice `permit2612` is empty or the five words of EIP2612Permit.
    error PermitMalformed(uint256 length);

    // Refunds and recovery

    error WrongSource(address given, address expected);
    error RefundExpired(uint256 deadline, uint256 time);
    error RefundSpent(uint256 refundId);
    error RefundLimitReached(uint256 amount, uint256 room);
    /// @notice A call from a clone may not touch money that it holds for others.
    error TargetNotAllowed(address target);
}
