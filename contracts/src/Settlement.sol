// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Forwarders} from "./Forwarders.sol";
import {IToken} from "./interfaces/IToken.sol";
import {Isolation} from "./libraries/Isolation.sol";

/// @title Settlement
/// @notice Submits payers' EIP-3009 authorizations to the token in batches.
/// @dev    Open to everyone: the payer signed the payee and the amount, and anyone could submit the
///         authorization to the token without the hub.
abstract contract Settlement is Forwarders {
    /// @notice The gas that one authorization with (v, r, s) is given; a payer with code cannot
    ///         burn more than this.
    uint256 public constant AUTHORIZATION_GAS = 150_000;

    /// @dev transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)
    bytes4 private constant WITH_VRS = 0xe3ee160e;
    /// @dev transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes)
    bytes4 private constant WITH_BYTES = 0xcf092995;
    uint256 private constant AUTHORIZATION_SIZE = 9 * 32;

    /// @notice Settles authorizations, then distributes. A failing item is reported by event and
    ///         changes no other.
    /// @param token         An EIP-3009 token.
    /// @param items         Authorizations whose payee is the forwarder of their merchant.
    /// @param distributions Forwarders to pay out afterwards; may be empty.
    function settle(
        address token,
        Authorization[] calldata items,
        Distribution[] calldata distributions
    ) external {
        _requireToken(token);
        bytes16 merchantId;
        address forwarder;
        for (uint256 i; i < items.length; ++i) {
            Authorization calldata item = items[i];
            if (forwarder == address(0) || item.merchantId != merchantId) {
                merchantId = item.merchantId;
                forwarder = forwarderAddress(merchantId);
            }
            if (!_carry(token, item, forwarder)) {
                emit AuthorizationFailed(token, item.from, item.nonce, Isolation.clippedReason());
            }
        }
        _distribute(token, distributions);
    }

    /// @notice Settles authorizations of contract wallets, then distributes.
    /// @param itemGas The gas that each item is given: a wallet checks signatures with code of its
    ///                own (ERC-1271), which may be costly or hostile.
    function settleWallets(
        address token,
        WalletAuthorization[] calldata items,
        uint256 itemGas,
        Distribution[] calldata distributions
    ) external {
        _requireToken(token);
        for (uint256 i; i < items.length; ++i) {
            WalletAuthorization calldata item = items[i];
            (bool ok, bytes memory reason) =
                Isolation.attempt(token, _withSignature(item), itemGas);
            if (!ok) emit AuthorizationFailed(token, item.from, item.nonce, reason);
        }
        _distribute(token, distributions);
    }

    /// @dev Hands an authorization to the token as it lies in the calldata, with the forwarder
    ///      in the merchant's place.
    function _carry(address token, Authorization calldata item, address forwarder)
        private
        returns (bool ok)
    {
        Isolation.requireGas(AUTHORIZATION_GAS);
        assembly ("memory-safe") {
            let data := mload(0x40)
            mstore(data, WITH_VRS)
            calldatacopy(add(data, 0x04), item, AUTHORIZATION_SIZE)
            // Solady leaves a predicted address's upper bits dirty, and the token would revert.
            mstore(add(data, 0x24), shr(96, shl(96, forwarder)))
            ok := call(
                AUTHORIZATION_GAS, token, 0, data, add(AUTHORIZATION_SIZE, 0x04), 0x00, 0x00
            )
        }
    }

    function _withSignature(WalletAuthorization calldata item)
        private
        view
        returns (bytes memory)
    {
        return abi.encodeWithSelector(
            WITH_BYTES,
            item.from,
            forwarderAddress(item.merchantId),
            item.value,
            item.validAfter,
            item.validBefore,
            item.nonce,
            item.signature
        );
    }

    /// @dev A call to an address without code succeeds, and would look like a payment.
    function _requireToken(address token) private view {
        if (token.code.length == 0) revert NotAToken(token);
    }
}
