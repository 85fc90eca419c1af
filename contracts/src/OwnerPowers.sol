// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Proposals} from "./Proposals.sol";

/// @title OwnerPowers
/// @notice Appointments, lists, limits and delays.
/// @dev    What adds power waits for the owner's delay; what takes it away does not.
abstract contract OwnerPowers is Proposals {
    /// @notice The longest delay, lest a mistake or a thief lock the owner out forever.
    uint32 public constant MAX_DELAY = 30 days;
    /// @dev More would let the scaling of fee caps overflow.
    uint8 private constant MAX_DECIMALS = 36;

    constructor(address owner_) {
        _requireNonZero(owner_);
        owner = owner_;
        emit OwnershipTransferred(address(0), owner_);
    }

    /// @notice Offers the ownership; zero withdraws the offer, at once.
    function transferOwnership(address newOwner) external onlyOwner {
        if (newOwner != address(0)) _requireProposed();
        pendingOwner = newOwner;
        emit OwnershipTransferStarted(owner, newOwner);
    }

    /// @notice Takes the ownership that was offered.
    function acceptOwnership() external {
        if (msg.sender != pendingOwner) revert NotPendingOwner(msg.sender, pendingOwner);
        emit OwnershipTransferred(owner, msg.sender);
        owner = msg.sender;
        pendingOwner = address(0);
    }

    /// @notice Replaces the guardian; at once only while there is none.
    function setGuardian(address newGuardian) external onlyOwner {
        if (guardian != address(0)) _requireProposed();
        guardian = newGuardian;
        emit GuardianSet(newGuardian);
    }

    /// @notice Lets a relayer work, or ends that at once.
    function setOperator(address operator, bool allowed) external onlyOwner {
        _requireNonZero(operator);
        if (allowed) _requireProposed();
        isOperator[operator] = allowed;
        emit OperatorSet(operator, allowed);
    }

    /// @notice Replaces the signer of registry entries; zero removes it, without delay.
    function setConfigSigner(address signer) external onlyOwner {
        if (signer != address(0)) _requireProposed();
        configSigner = signer;
        emit ConfigSignerSet(signer);
    }

    /// @notice Replaces the signer of refunds; zero removes it, without delay.
    function setRefundSigner(address signer) external onlyOwner {
        if (signer != address(0)) _requireProposed();
        refundSigner = signer;
        emit RefundSignerSet(signer);
    }

    /// @notice Replaces the receiver of fees.
    function setFeeCollector(address collector) external afterDelay {
        _requireReceiver(collector);
        feeCollector = collector;
        emit FeeCollectorSet(collector);
    }

    /// @notice Lists a token, or sets how much of it may be refunded; to unlist it or to lower the
    ///         limit needs no delay.
    /// @param token       The token; zero is native coin, which is never listed.
    /// @param listed      Whether it may be swept and distributed. List no token that takes a fee of
    ///                    transfers, rebases, or has a second address.
    /// @param decimals    The token's own, by which fee caps are scaled.
    /// @param refundLimit The most that refunds may pay in any 24 hours, in base units;
    ///                    type(uint232).max is unlimited.
    function setToken(address token, bool listed, uint8 decimals, uint232 refundLimit)
        external
        onlyOwner
    {
        if (listed) _requireNonZero(token);
        if (decimals > MAX_DECIMALS) revert DecimalsTooMany(decimals, MAX_DECIMALS);
        Token memory current = tokens[token];
        bool adds = (listed && !current.listed) || refundLimit > current.refundLimit
            || decimals != current.decimals;
        if (adds) _requireProposed();
        tokens[token] = Token(listed, decimals, refundLimit);
        emit TokenSet(token, listed, decimals, refundLimit);
    }

    /// @notice Sets both delays, in seconds; at once if neither becomes shorter.
    function setDelays(uint32 newOwnerDelay, uint32 newConfigDelay) external onlyOwner {
        if (newOwnerDelay > MAX_DELAY) revert DelayTooLong(newOwnerDelay, MAX_DELAY);
        if (newConfigDelay > MAX_DELAY) revert DelayTooLong(newConfigDelay, MAX_DELAY);
        if (newOwnerDelay < ownerDelay || newConfigDelay < configDelay) _requireProposed();
        ownerDelay = newOwnerDelay;
        configDelay = newConfigDelay;
        emit DelaysSet(newOwnerDelay, newConfigDelay);
    }

    function _guardianSetter() internal pure override returns (bytes4) {
        return this.setGuardian.selector;
    }
}
