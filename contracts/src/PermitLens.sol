// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {DynamicBufferLib} from "solady/utils/DynamicBufferLib.sol";
import {ChainBlock} from "./libraries/ChainBlock.sol";

/// @title PermitLens
/// @notice Reads all that a chain knows of many payments by Permit2, at one block, in one eth_call
///         that creates this contract: its constructor returns the answer instead of code.
/// @dev    The answer is packed. It begins with two words, the block's number and time (so never
///         with 0xEF, EIP-3541). Each query adds:
///           32 bytes  the payer's balance
///           32 bytes  what the payer lets Permit2 take
///           32 bytes  the nonce of the payer's next permit of EIP-2612; zero if the token has none
///            8 bytes  the first of the hash of the payer's code; zero if it has none
///            1 byte   whether there is code at the token's address: NO or YES
///            1 byte   whether there is code at Permit2's and the proxy's addresses: the same
///            1 byte   whether the nonce is used: NO, YES or UNKNOWN
///            1 byte   whether the payer is on the token's blacklist: the same
///            1 byte   whether the payee is: the same
///            1 byte   whether the token is paused: the same
///            1 byte   whether the payer's code takes the signature (ERC-1271): NO or YES, UNKNOWN if
///                     there was no gas for it, SKIPPED for a payer without code
///         No token or wallet can make it revert: each has its own gas, and of what they answer no
///         more than a word is read.
contract PermitLens {
    using DynamicBufferLib for DynamicBufferLib.DynamicBuffer;

    /// @param token     The token.
    /// @param payer     Who signed.
    /// @param payee     Whom the payer signed for.
    /// @param proxy     The spender that the payer signed for.
    /// @param nonce     Permit2's, unordered.
    /// @param digest    What the payer signed.
    /// @param signature The payer's, for a payer with code.
    /// @param walletGas The gas that such a payer's code may use.
    struct Query {
        address token;
        address payer;
        address payee;
        address proxy;
        uint256 nonce;
        bytes32 digest;
        bytes signature;
        uint256 walletGas;
    }

    uint8 private constant NO = 0;
    uint8 private constant YES = 1;
    uint8 private constant UNKNOWN = 2;
    uint8 private constant SKIPPED = 3;

    /// @dev The same on every chain.
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    /// @dev More than any honest token's view needs, behind a proxy and from cold storage.
    uint256 private constant VIEW_GAS = 60_000;
    bytes4 private constant IS_VALID = 0x1626ba7e;

    constructor(Query[] memory queries) {
        DynamicBufferLib.DynamicBuffer memory answer;
        answer.pUint256(ChainBlock.number()).pUint256(block.timestamp);
        for (uint256 i; i < queries.length; ++i) {
            answer.p(_money(queries[i]));
            answer.p(_flags(queries[i]));
        }
        bytes memory code = answer.data;
        assembly ("memory-safe") {
            return(add(code, 0x20), mload(code))
        }
    }

    function _money(Query memory query) private view returns (bytes memory) {
        (address token, address payer) = (query.token, query.payer);
        (, uint256 balance) = _view(token, abi.encodeWithSignature("balanceOf(address)", payer));
        (, uint256 allowance) =
            _view(token, abi.encodeWithSignature("allowance(address,address)", payer, PERMIT2));
        (, uint256 nonce) = _view(token, abi.encodeWithSignature("nonces(address)", payer));
        bytes32 codeHash = payer.code.length == 0 ? bytes32(0) : payer.codehash;
        return abi.encodePacked(balance, allowance, nonce, bytes8(codeHash));
    }

    function _flags(Query memory query) private view returns (bytes memory) {
        (address token, address payer) = (query.token, query.payer);
        bool areDeployed = PERMIT2.code.length != 0 && query.proxy.code.length != 0;
        return abi.encodePacked(
            token.code.length == 0 ? NO : YES,
            areDeployed ? YES : NO,
            _isUsed(payer, query.nonce),
            _isListed(token, payer),
            _flag(token, abi.encodeWithSignature("isBlacklisted(address)", query.payee)),
            _flag(token, abi.encodeWithSignature("paused()")),
            payer.code.length == 0 ? SKIPPED : _isSigned(query)
        );
    }

    /// @dev By Circle's name of the list, or one of Tether's, who look up the sender alone.
    function _isListed(address token, address payer) private view returns (uint8 flag) {
        flag = _flag(token, abi.encodeWithSignature("isBlacklisted(address)", payer));
        if (flag != UNKNOWN) return flag;
        flag = _flag(token, abi.encodeWithSignature("isBlackListed(address)", payer));
        if (flag != UNKNOWN) return flag;
        return _flag(token, abi.encodeWithSignature("isBlocked(address)", payer));
    }

    function _isUsed(address payer, uint256 nonce) private view returns (uint8) {
        (bool ok, uint256 bitmap) = _view(
            PERMIT2, abi.encodeWithSignature("nonceBitmap(address,uint256)", payer, nonce >> 8)
        );
        if (!ok) return UNKNOWN;
        return (bitmap >> (nonce & 0xff)) & 1 == 1 ? YES : NO;
    }

    /// @dev As Permit2 calls it, which takes nothing but the magic value.
    function _isSigned(Query memory query) private view returns (uint8) {
        // EIP-150: the caller keeps a 64th back.
        if (gasleft() < query.walletGas + query.walletGas / 32 + VIEW_GAS) return UNKNOWN;
        bytes memory call = abi.encodeWithSelector(IS_VALID, query.digest, query.signature);
        (bool ok, uint256 word) = _view(query.payer, call, query.walletGas);
        return ok && bytes4(bytes32(word)) == IS_VALID ? YES : NO;
    }

    function _flag(address target, bytes memory data) private view returns (uint8) {
        (bool ok, uint256 word) = _view(target, data);
        if (!ok || word > 1) return UNKNOWN;
        return word == 1 ? YES : NO;
    }

    function _view(address target, bytes memory data)
        private
        view
        returns (bool ok, uint256 word)
    {
        return _view(target, data, VIEW_GAS);
    }

    /// @dev The first word of what a view answers; false and 0 if it is not there.
    function _view(address target, bytes memory data, uint256 gasCap)
        private
        view
        returns (bool ok, uint256 word)
    {
        assembly ("memory-safe") {
            ok := staticcall(gasCap, target, add(data, 0x20), mload(data), 0x00, 0x20)
            ok := and(ok, gt(returndatasize(), 0x1f))
            if ok { word := mload(0x00) }
        }
    }
}
