// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Clones} from "./Clones.sol";
import {Forwarder} from "./Forwarder.sol";
import {OwnerPowers} from "./OwnerPowers.sol";
import {TokenTransfer} from "./libraries/TokenTransfer.sol";

/// @title Recovery
/// @notice The exit of what was sent where it does not belong, by the owner and after his delay.
abstract contract Recovery is Clones, OwnerPowers {
    /// @notice Moves what was sent by mistake to the hub or the forwarder implementation.
    /// @param source The hub or the implementation.
    /// @param token  The token, or zero for native coin.
    /// @param to     The receiver.
    /// @param amount In base units, or in wei.
    function recover(address source, address token, address to, uint256 amount)
        external
        afterDelay
    {
        _requireReceiver(to);
        if (source == forwarderImplementation) {
            if (token == address(0)) Forwarder(source).payNative(to, amount);
            else Forwarder(source).pay(token, to, amount, address(0), 0, 0, 0);
        } else if (source != address(this)) {
            revert WrongSource(source, address(this));
        } else if (token == address(0)) {
            _sendNative(to, amount);
        } else {
            TokenTransfer.transfer(token, to, amount);
        }
        emit Recovered(source, token, to, amount);
    }

    /// @notice Calls a contract in the name of a deployed clone, for NFTs and other assets that refunds
    ///         cannot move. The target is no listed token, no clone, and no part of this hub.
    function recoverCall(address clone, address target, bytes calldata data) external afterDelay {
        if (!_isClone(clone)) revert NotDeployed(clone);
        bool isOurs = target == address(this) || target == forwarderImplementation;
        if (isOurs || tokens[target].listed || _isClone(target)) revert TargetNotAllowed(target);
        if (target.code.length == 0) revert NotAToken(target);
        Forwarder(clone).call(target, data);
        emit RecoveredByCall(clone, target, data);
    }

    function _sendNative(address to, uint256 amount) private {
        uint256 held = address(this).balance;
        (bool ok,) = to.call{value: amount}("");
        if (!ok) revert Forwarder.NativeTransferFailed(held, amount);
    }
}
