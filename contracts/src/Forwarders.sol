// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {SafeTransferLib} from "solady/utils/SafeTransferLib.sol";
import {MerchantRegistry} from "./MerchantRegistry.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Forwarders
/// @notice Splits what merchants' forwarders have received between treasury and collector.
/// @dev    Open to everyone: only registry values decide where the money goes.
abstract contract Forwarders is MerchantRegistry {
    /// @notice The gas that one distribution is given.
    uint256 public constant DISTRIBUTE_GAS = 350_000;

    /// @notice Fees that a token refused to move to the collector, still held by the forwarder.
    ///         They are not the merchant's, so the next distribution leaves them out.
    mapping(address forwarder => mapping(address token => uint256)) public feeHeld;

    /// @notice Creates a merchant's forwarder if it does not exist yet.
    /// @return forwarder Its address, which it has in either case.
    function deployForwarder(bytes16 merchantId) external returns (address forwarder) {
        (forwarder,) = _forwarderOf(merchantId);
    }

    /// @notice Pays forwarders out to their treasuries, items isolated from each other.
    function distribute(address token, Distribution[] calldata distributions) external {
        _distribute(token, distributions);
    }

    /// @notice One distribution of a batch; only the hub itself may call it.
    /// @dev    1. The registry must have the version named.
    ///         2. One base unit always stays: a balance that never returns to zero saves 17,100 gas
    ///            on the next payment. Fees held from earlier stay out of the split.
    ///         3. The fee is the registry's rate, rounded down, and at most the registry's cap.
    ///         4. The treasury is paid, then the collector, who also gets the fees held.
    ///         5. If the token refuses the collector's leg, all of it is held until next time; if
    ///            there was nothing else to distribute, nothing happened.
    function distributeItem(address token, Distribution calldata item) external onlyHub {
        Merchant memory merchant = _merchantAt(item.merchantId, item.version);
        (address forwarder, bool deployed) = _forwarderOf(item.merchantId);

        uint256 balance = SafeTransferLib.balanceOf(token, forwarder);
        uint256 held = deployed ? 0 : feeHeld[forwarder][token];
        if (balance < 2 || balance < held + 1) revert NothingToDistribute(balance);
        uint256 amount = balance - held - 1;

        uint256 fee = amount * merchant.feeBps / BPS;
        if (fee > merchant.feeCap) fee = merchant.feeCap;
        uint256 remitted = amount - fee;
        uint256 due = fee + held;

        if (_payFrom(forwarder, token, merchant.treasury, remitted, feeCollector, due)) {
            if (held != 0) feeHeld[forwarder][token] = 0;
        } else {
            if (amount == 0) revert NothingToDistribute(balance);
            feeHeld[forwarder][token] = due;
            emit FeeOwed(forwarder, token, fee);
            due = 0;
        }
        emit Distributed(item.merchantId, token, merchant.treasury, remitted, due);
    }

    function _distribute(address token, Distribution[] calldata distributions) internal {
        for (uint256 i; i < distributions.length; ++i) {
            Distribution calldata item = distributions[i];
            (bool ok, bytes memory reason) = Isolation.attempt(
                address(this), abi.encodeCall(this.distributeItem, (token, item)), DISTRIBUTE_GAS
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
}
