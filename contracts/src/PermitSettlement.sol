// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {HubAccess} from "./HubAccess.sol";
import {
    IExactPermitProxy,
    IPermitProxy,
    IUptoPermitProxy
} from "./interfaces/IPermitProxies.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title PermitSettlement
/// @notice Settles Permit2 payments through the canonical x402 proxies, which take the payee from
///         what the payer signed. For `upto` the hub is the facilitator that the payer named, so
///         only its operators decide how much of the permitted amount is paid.
abstract contract PermitSettlement is HubAccess {
    /// @dev The same on every chain.
    address private constant EXACT = 0x402085c248EeA27D92E8b30b2C58ed07f9E20001;
    address private constant UPTO = 0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002;
    uint256 private constant PERMIT_SIZE = 5 * 32;

    /// @dev EIP2612Permit with its words unchecked: the proxy checks them, at the item's cost.
    struct PermitWords {
        bytes32 value;
        bytes32 deadline;
        bytes32 r;
        bytes32 s;
        bytes32 v;
    }

    /// @notice Settles `upto` payments: any amount that the payer permitted.
    /// @param itemGas The gas that each payment is given.
    function settleUpto(PermitPayment[] calldata items, uint256 itemGas) external onlyOperator {
        _settle(UPTO, items, itemGas);
    }

    /// @notice Settles `exact` payments: all that the payer permitted. Anyone could do so at the
    ///         proxy, but only here it emits an event.
    /// @param itemGas The gas that each payment is given.
    function settleExact(PermitPayment[] calldata items, uint256 itemGas) external onlyOperator {
        _settle(EXACT, items, itemGas);
    }

    function _settle(address proxy, PermitPayment[] calldata items, uint256 itemGas) private {
        if (proxy.code.length == 0) revert NotDeployed(proxy);
        for (uint256 i; i < items.length; ++i) {
            PermitPayment calldata item = items[i];
            bool ok;
            bytes memory reason = _refuse(item, proxy == EXACT);
            if (reason.length == 0) {
                bytes memory data = proxy == EXACT ? _exactCall(item) : _uptoCall(item);
                (ok, reason) = Isolation.attempt(proxy, data, itemGas);
            }
            if (ok) emit PermitSettled(item.from, item.nonce, item.token, item.to, item.amount);
            else emit PermitFailed(item.from, item.nonce, reason);
        }
    }

    /// @dev The encoded error for which an item is refused before any call; empty if it is not.
    ///      Permit2 takes the silence of an address without code for a payment.
    function _refuse(PermitPayment calldata item, bool isExact)
        private
        view
        returns (bytes memory)
    {
        if (item.token.code.length == 0) {
            return abi.encodeWithSelector(NotAToken.selector, item.token);
        }
        uint256 length = item.permit2612.length;
        if (length != 0 && length != PERMIT_SIZE) {
            return abi.encodeWithSelector(PermitMalformed.selector, length);
        }
        if (isExact && item.amount != item.permitted) {
            return abi.encodeWithSelector(
                AmountNotPermitted.selector, item.amount, item.permitted
            );
        }
        return "";
    }

    function _uptoCall(PermitPayment calldata item) private view returns (bytes memory) {
        IUptoPermitProxy.Witness memory witness =
            IUptoPermitProxy.Witness(item.to, address(this), item.validAfter);
        if (item.permit2612.length == 0) {
            return abi.encodeCall(
                IUptoPermitProxy.settle,
                (_permitOf(item), item.amount, item.from, witness, item.signature)
            );
        }
        return abi.encodeWithSelector(
            IUptoPermitProxy.settleWithPermit.selector,
            abi.decode(item.permit2612, (PermitWords)),
            _permitOf(item),
            item.amount,
            item.from,
            witness,
            item.signature
        );
    }

    function _exactCall(PermitPayment calldata item) private pure returns (bytes memory) {
        IExactPermitProxy.Witness memory witness =
            IExactPermitProxy.Witness(item.to, item.validAfter);
        if (item.permit2612.length == 0) {
            return abi.encodeCall(
                IExactPermitProxy.settle, (_permitOf(item), item.from, witness, item.signature)
            );
        }
        return abi.encodeWithSelector(
            IExactPermitProxy.settleWithPermit.selector,
            abi.decode(item.permit2612, (PermitWords)),
            _permitOf(item),
            item.from,
            witness,
            item.signature
        );
    }

    function _permitOf(PermitPayment calldata item)
        private
        pure
        returns (IPermitProxy.PermitTransferFrom memory)
    {
        return IPermitProxy.PermitTransferFrom(
            IPermitProxy.TokenPermissions(item.token, item.permitted), item.nonce, item.deadline
        );
    }
}
