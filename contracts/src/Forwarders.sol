// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {MerchantRegistry} from "./MerchantRegistry.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Forwarders
/// @notice Splits what merchants' forwarders have received between treasury and collector.
/// @dev    For operators, and for the treasury itself after an announcement: anyone else could
///         split a balance into many parts, each of which pays up to the cap, and a merchant could
///         outrun a rescue that is signed already.
abstract contract Forwarders is MerchantRegistry {
    /// @notice How long a ripe announcement can be used.
    uint64 public constant ANNOUNCEMENT_LIFETIME = 1 days;

    /// @notice Fees that a token refused to move to the collector, still held by the forwarder.
    ///         They are not the merchant's, so the next distribution leaves them out.
    mapping(address forwarder => mapping(address token => uint256)) public feeHeld;
    /// @notice When the treasury announced that it will distribute itself; zero if it did not.
    mapping(bytes16 merchantId => uint64) public announcedAt;

    /// @notice Creates a merchant's forwarder if it does not exist yet.
    /// @return forwarder Its address, which it has in either case.
    function deployForwarder(bytes16 merchantId) external returns (address forwarder) {
        (forwarder,) = _forwarderOf(merchantId);
    }

    /// @notice The treasury announces that it will distribute itself: one token, once, from
    ///         `configDelay` later on and for a day. Announcing again begins the wait again.
    function announceDistribution(bytes16 merchantId) external {
        address treasury = merchants[merchantId].treasury;
        if (msg.sender != treasury) revert NotTreasury(msg.sender, treasury);
        announcedAt[merchantId] = uint64(block.timestamp);
        emit DistributionAnnounced(merchantId, uint64(block.timestamp) + configDelay);
    }

    /// @notice Pays forwarders out to their treasuries, items isolated from each other.
    function distribute(address token, Distribution[] calldata distributions, Gas calldata gas)
        external
    {
        _distribute(token, distributions, gas);
    }

    /// @notice One distribution of a batch; only the hub itself may call it.
    /// @dev    1. Distributions must not be stopped, the token must be listed, and the registry must
    ///            have the version named, with no change pending.
    ///         2. A caller who is no operator must be the treasury and have announced it in time.
    ///         3. One base unit always stays: a balance that never returns to zero saves 17,100 gas
    ///            on the next payment. Fees held from earlier stay out of the split.
    ///         4. The fee is the registry's rate, rounded down, and at most the registry's cap.
    ///         5. The treasury is paid, then the collector, who also gets the fees held.
    ///         6. If the token refuses the collector's leg, all of it is held until next time; if
    ///            there was nothing else to distribute, nothing happened.
    /// @param caller Who requests it, unless he is an operator: then zero.
    function distributeItem(
        address token,
        Distribution calldata item,
        address caller,
        uint256 feeGas,
        uint256 reserve
    ) external onlyHub {
        _requireRunning(DISTRIBUTIONS);
        Token memory known = tokens[token];
        if (!known.listed) revert TokenNotListed(token);
        Merchant memory merchant = _merchantAt(item.merchantId, item.version);
        if (caller != address(0)) _useAnnouncement(item.merchantId, caller, merchant.treasury);
        (address forwarder, bool deployed) = _forwarderOf(item.merchantId);

        uint256 balance = SafeTransferLib.balanceOf(token, forwarder);
        uint256 held = deployed ? 0 : feeHeld[forwarder][token];
        if (balance < 2 || balance < held + 1) revert NothingToDistribute(balance);
        uint256 amount = balance - held - 1;

        uint256 fee = _feeOf(amount, merchant, known.decimals);
        uint256 remitted = amount - fee;
        uint256 due = fee + held;

        if (
            _pay(Payment(forwarder, token, merchant.treasury, remitted, due, feeGas, reserve))
        ) {
            if (held != 0) feeHeld[forwarder][token] = 0;
        } else {
            if (amount == 0) revert NothingToDistribute(balance);
            feeHeld[forwarder][token] = due;
            emit FeeOwed(forwarder, token, fee);
            due = 0;
        }
        emit Distributed(item.merchantId, token, merchant.treasury, remitted, due);
    }

    function _distribute(address token, Distribution[] calldata distributions, Gas calldata gas)
        internal
    {
        if (distributions.length == 0) return;
        address caller = isOperator[msg.sender] ? address(0) : msg.sender;
        for (uint256 i; i < distributions.length; ++i) {
            Distribution calldata item = distributions[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this),
                abi.encodeCall(
                    this.distributeItem, (token, item, caller, gas.fee, gas.reserve)
                ),
                gas.item
            );
            if (!ok) emit DistributeFailed(item.merchantId, token, reason);
        }
    }

    /// @dev Fees can only be held where there is money for them. Without this, what a rescue took of
    ///      them would be charged again to the merchant's next payments.
    function _limitFeeHeld(address forwarder, address token) internal {
        uint256 held = feeHeld[forwarder][token];
        if (held == 0) return;
        uint256 balance = SafeTransferLib.balanceOf(token, forwarder);
        if (held < balance) return;
        feeHeld[forwarder][token] = balance == 0 ? 0 : balance - 1;
    }

    function _forwarderOf(bytes16 merchantId) internal returns (address forwarder, bool deployed) {
        (forwarder, deployed) = _cloneAt(_forwarderSalt(merchantId));
        if (deployed) emit ForwarderDeployed(merchantId, forwarder);
    }

    /// @dev The registry's rate, at most its cap, which is in millionths of a whole token.
    function _feeOf(uint256 amount, Merchant memory merchant, uint8 decimals)
        private
        pure
        returns (uint256 fee)
    {
        uint256 cap = merchant.feeCap;
        if (decimals > 6) cap *= 10 ** (decimals - 6);
        else if (decimals < 6) cap /= 10 ** (6 - decimals);
        fee = amount * merchant.feeBps / BPS;
        if (fee > cap) fee = cap;
    }

    function _useAnnouncement(bytes16 merchantId, address caller, address treasury) private {
        if (caller != treasury) revert NotTreasury(caller, treasury);
        uint64 announced = announcedAt[merchantId];
        uint64 ripe = announced + configDelay;
        if (announced == 0 || block.timestamp > ripe + ANNOUNCEMENT_LIFETIME) {
            revert DistributionNotAnnounced(merchantId);
        }
        if (block.timestamp < ripe) revert NotReady(bytes32(merchantId), ripe);
        announcedAt[merchantId] = 0;
    }
}
