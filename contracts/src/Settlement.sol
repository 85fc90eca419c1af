// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarders} from "./Forwarders.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Settlement
/// @notice Submits payers' EIP-3009 authorizations to the token in batches.
/// @dev    Open to everyone and never stopped: the payer signed the payee and the amount, and anyone
///         could submit the authorization to the token without the hub.
abstract contract Settlement is Forwarders {
    /// @dev transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
    bytes4 private constant WITH_VRS = 0xe3ee160e;
    /// @dev transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
    bytes4 private constant WITH_BYTES = 0xcf092995;
    /// @dev The nine fields of Authorization, as they lie in the calldata.
    uint256 private constant AUTHORIZATION_SIZE = 9 * 32;

    /// @notice Settles authorizations, then distributes. A failing item is reported by event and
    ///         changes no other.
    /// @dev    A payer with code is refused without a call: he could pass a trial, and burn the gas
    ///         of the batch later (EIP-7702).
    /// @param token         An EIP-3009 token.
    /// @param items         Authorizations of payers without code.
    /// @param itemGas       The gas that each authorization is given.
    /// @param distributions Forwarders to pay out afterwards, as by `distribute`; may be empty.
    /// @param gas           The gas of each distribution.
    function settle(
        address token,
        Authorization[] calldata items,
        uint256 itemGas,
        Distribution[] calldata distributions,
        Gas calldata gas
    ) external {
        _requireToken(token);
        bytes memory data = new bytes(4 + AUTHORIZATION_SIZE);
        assembly ("memory-safe") {
            mstore(add(data, 0x20), WITH_VRS)
        }
        for (uint256 i; i < items.length; ++i) {
            Authorization calldata item = items[i];
            bool ok;
            bytes memory reason;
            if (item.from.code.length != 0) {
                reason = abi.encodeWithSelector(PayerHasCode.selector, item.from);
            } else {
                assembly ("memory-safe") {
                    calldatacopy(add(data, 0x24), item, AUTHORIZATION_SIZE)
                }
                (ok, reason) = Isolation.attempt(token, data, itemGas);
            }
            if (!ok) emit AuthorizationFailed(token, item.from, item.nonce, reason);
        }
        _distribute(token, distributions, gas);
    }

    /// @notice Settles authorizations of contract wallets, then distributes.
    /// @param itemGas The gas that each item is given: a wallet checks signatures with code of its
    ///                own (ERC-1271), which may be costly or hostile.
    function settleWallets(
        address token,
        WalletAuthorization[] calldata items,
        uint256 itemGas,
        Distribution[] calldata distributions,
        Gas calldata gas
    ) external {
        _requireToken(token);
        for (uint256 i; i < items.length; ++i) {
            WalletAuthorization calldata item = items[i];
            (bool ok, bytes memory reason) =
                Isolation.attempt(token, _withSignature(item), itemGas);
            if (!ok) emit AuthorizationFailed(token, item.from, item.nonce, reason);
        }
        _distribute(token, distributions, gas);
    }

    function _withSignature(WalletAuthorization calldata item)
        private
        pure
        returns (bytes memory)
    {
        return abi.encodeWithSelector(
            WITH_BYTES,
            item.from,
            item.to,
            item.value,
            item.validAfter,
            item.validBefore,
            item.nonce,
            item.signature
        );
    }

    /// @dev A call to an address without code succeeds, and would appear as a payment.
    function _requireToken(address token) internal view {
        if (token.code.length == 0) revert NotAToken(token);
    }
}
