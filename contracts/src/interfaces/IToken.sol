// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// @title IToken
/// @notice The calls of EIP-3009 tokens that the hub makes.
interface IToken {
    function balanceOf(address account) external view returns (uint256);

    /// @dev EIP-3009.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        uint8 v,
        bytes32 r,
        bytes32 s
    ) external;

    /// @dev FiatToken v2.2: the signature as bytes, checked by ERC-1271 where the payer has code.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external;
}
